import { powersIn } from './guard.ts';

describe('powersIn', () => {
  it.each([
    [['GRANT USAGE ON *.* TO `a`@`%`', 'GRANT ALL PRIVILEGES ON `shop`.* TO `a`@`%`'], []],
    [["GRANT SELECT, SHOW VIEW ON *.* TO 'a'@'%'"], []],
    [["GRANT ALL PRIVILEGES ON *.* TO 'root'@'localhost' WITH GRANT OPTION"], ['ALL PRIVILEGES']],
    [["GRANT SELECT, FILE, PROCESS, SUPER ON *.* TO 'a'@'%'"], ['FILE', 'SUPER']],
    [
      ['GRANT SYSTEM_VARIABLES_ADMIN,CLONE_ADMIN,XA_RECOVER_ADMIN ON *.* TO `a`@`%`'],
      ['SYSTEM_VARIABLES_ADMIN', 'CLONE_ADMIN', 'XA_RECOVER_ADMIN'],
    ],
    [['GRANT INSERT ON `mysql`.* TO `a`@`%`'], ['INSERT']],
    [['GRANT DELETE ON `%`.* TO `a`@`%`'], ['DELETE']],
    [['GRANT ALL PRIVILEGES ON `m_sql`.* TO `a`@`%`'], ['ALL PRIVILEGES']],
    [['GRANT ALL PRIVILEGES ON `m\\_sql`.* TO `a`@`%`', 'GRANT ALL PRIVILEGES ON `my.sql%`.* TO `a`@`%`'], []],
    [['GRANT SELECT (a, b), UPDATE (c) ON `shop`.`t` TO `a`@`%`'], []],
  ])('finds in %j', (grants, powers) => {
    expect(powersIn(grants)).toEqual(powers);
  });
});
