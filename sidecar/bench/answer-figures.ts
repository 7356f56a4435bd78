/*
 * The record of what answers take of a model's context, in o200k tokens. Each form was chosen by these: `text` is what
 * a model reads, `json` the same data as JSON with the names once, `dbhub` the answer of @bytebase/dbhub to the same
 * question. A test holds the texts to them, both ways: an answer that has grown fails, and so does a figure that is not
 * true any more. `npm run bench -- tokens` measures them beside the other server's.
 */

interface AnswerFigure {
  readonly text: number;
  readonly json: number;
  readonly dbhub?: number;
}

export const ANSWER_FIGURES = {
  // Rows: names once, a line for each row, what many have alike once below, one row of a wide table as `name: value`.
  'one number': { text: 4, json: 13, dbhub: 74 },
  'one row': { text: 12, json: 24, dbhub: 93 },
  '10 rows': { text: 135, json: 150, dbhub: 430 },
  '100 rows': { text: 1275, json: 1350, dbhub: 3730 },
  '100 rows of two columns': { text: 502, json: 711, dbhub: 2064 },
  'no rows': { text: 11, json: 15, dbhub: 62 },
  groups: { text: 64, json: 75, dbhub: 273 },
  nulls: { text: 116, json: 214, dbhub: 1220 },
  'names of the tables': { text: 5, json: 15, dbhub: 87 },
  // More than a model is shown: long texts are shortened so that every row is there.
  '50 letters, with a limit that allows them': { text: 6932, json: 28811, dbhub: 29585 },
  '50 sentences': { text: 120, json: 661, dbhub: 1376 },
  // Mostly texts, which every server has to say: the values alone are 2326 and 2150.
  '50 descriptions': { text: 2381, json: 2542, dbhub: 3807 },
  '50 payloads in JSON': { text: 2203, json: 2411, dbhub: 3075 },
  // Lines of names, keys, steps and facts.
  'an overview of two tables': { text: 465, json: 718 },
  'the wide overview': { text: 5665, json: 7106 },
  'a search for columns': { text: 308, json: 715 },
  'a plan': { text: 127, json: 185 },
  'an export': { text: 75, json: 81 },
  // Short JSON, without what is usual.
  'the only connection': { text: 42, json: 82 },
} as const satisfies Readonly<Record<string, AnswerFigure>>;

/** The calls of the twenty questions. */
export const REPLAY_FIGURES = {
  'call 1': { text: 5807 },
  'call 2': { text: 605 },
  'call 3': { text: 551 },
} as const satisfies Readonly<Record<string, { readonly text: number }>>;

/** A text may become shorter by this share before the record has to follow. */
const SHORTER = 0.1;

/** Whether an answer is what the record says of it. */
export function isCurrent(tokens: number, recorded: number | undefined): boolean {
  return recorded !== undefined && tokens <= recorded && tokens >= recorded * (1 - SHORTER);
}
