import { type Command, projectOption, textOption } from './command.ts';
import { trust } from './trust.ts';
import { withBook } from './with-book.ts';

/** `devdb trust`. */
export const trustCommand: Command = {
  name: 'trust',
  usage: 'trust --project DIR [--connection ID] [--revoke]',
  summary:
    'Approves databases that DevDB lists but does not open unasked. Shows which and why, and remembers the approval.',
  help: [
    '  --connection ID  only this database, by its id from list-connections or devdb doctor',
    '  --revoke         revoke approvals',
    '',
    'Approvals are kept outside the repository and expire when the connection they cover changes.',
  ],
  options: { project: { type: 'string' }, connection: { type: 'string' }, revoke: { type: 'boolean' } },
  run: (values, _positionals, context) =>
    withBook(projectOption(values), context, ({ book }, signal) =>
      trust({
        book,
        connection: textOption(values, 'connection'),
        revoke: values.get('revoke') === true,
        signal,
        print: context.print,
      }),
    ),
};
