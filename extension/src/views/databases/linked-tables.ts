import { AppError } from '@devdb/shared/errors';
import { nameText, type PlainText, pathText, plain, quoted } from '@devdb/shared/plain-text';
import type { TableLink } from '@devdb/shared/table-link';
import type { Browser } from './browser.ts';
import type { Connection, TreeNode } from './nodes.ts';
import { type LinkParts, readLink } from './table-link.ts';

export interface LinkQuestion {
  readonly title: PlainText;
  readonly detail: PlainText;
}

export interface LinkedTablesParts {
  readonly browser: Pick<Browser, 'connections' | 'tables'>;
  /** The projects that are open in this window. */
  readonly roots: () => readonly string[];
  /** Whether the user says yes. */
  readonly ask: (question: LinkQuestion) => Promise<boolean>;
  readonly open: (table: Extract<TreeNode, { kind: 'table' }>) => Promise<void>;
}

/**
 * Opens the data of the tables that links name. Any web page can have the editor open one, so nothing is connected to
 * before the user has read what it names and said yes, and then only the first rows are read.
 */
export class LinkedTables {
  readonly #parts: LinkedTablesParts;
  #isAsking = false;

  constructor(parts: LinkedTablesParts) {
    this.#parts = parts;
  }

  async open(address: LinkParts): Promise<void> {
    const link = readLink(address);
    // A page that opens link after link gets one question.
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#openOne(link);
    } finally {
      this.#isAsking = false;
    }
  }

  async #openOne({ root, connection: id, table }: TableLink): Promise<void> {
    const { browser, roots, ask, open } = this.#parts;
    if (!roots().includes(root)) {
      throw new AppError('E_PROJECT_NOT_OPEN', 'The link is about a project that is not open in this window.');
    }
    const connection = await this.#connectionOf(root, id);
    const isWanted = await ask({
      title: plain`Open the data of the table ${quoted(nameText(table))}?`,
      detail: plain`A link asks for it. The table is in ${nameText(connection.name)} (${pathText(connection.target)}), of the project ${pathText(root)}. Its first rows are read and shown; nothing is changed.`,
    });
    if (!isWanted) return;
    if (!(await browser.tables(root, connection.id)).includes(table)) {
      throw new AppError('E_UNKNOWN_TABLE', `The database ${connection.name} has no table of the link's name.`);
    }
    await open({ kind: 'table', root, connection, name: table, facts: undefined });
  }

  /** Reads files of the project, and opens no database. */
  async #connectionOf(root: string, id: string | undefined): Promise<Connection> {
    const { connections } = await this.#parts.browser.connections(root);
    const found = connections.find((one) => (id === undefined ? one.isDefault : one.id === id));
    if (found === undefined) throw new AppError('E_NO_CONNECTION', 'The project has no database that the link names.');
    if (found.trusted) return found;
    throw new AppError('E_NO_CONNECTION', `The database ${found.name} needs your approval first.`, {
      hint: 'Approve it in the DevDB view. A link never does.',
    });
  }
}
