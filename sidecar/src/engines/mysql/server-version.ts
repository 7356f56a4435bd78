/** The server's product and version, as far as SQL is concerned. */
export interface ServerVersion {
  readonly product: 'MySQL' | 'MariaDB';
  /** `10.11.6`, without the packager's additions. */
  readonly number: string;
  /** 8.0.36 is 80036. */
  readonly order: number;
}

/** Reads VERSION() and version_comment. */
export function versionOf(text: string, comment: string): ServerVersion {
  const [number = text, major = '0', minor = '0', patch = '0'] =
    /(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?/.exec(text) ?? [];
  return {
    product: /mariadb/i.test(`${text} ${comment}`) ? 'MariaDB' : 'MySQL',
    number,
    order: Number(major) * 10_000 + Number(minor) * 100 + Number(patch),
  };
}

/** Whether it is MySQL, and at least this version. */
export function isMysql({ product, order }: ServerVersion, least = 0): boolean {
  return product === 'MySQL' && order >= least;
}

/** Whether it is MariaDB, and at least this version. */
export function isMariadb({ product, order }: ServerVersion, least = 0): boolean {
  return product === 'MariaDB' && order >= least;
}
