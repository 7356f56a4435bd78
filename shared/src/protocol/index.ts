export {
  ANSWER_FORM,
  ANSWERS,
  type Answer,
  type ClientAnswer,
  type Question,
  type QuestionParts,
  questionOf,
  questionSchema,
  type Reply,
  readReply,
  replySchema,
  type SessionScope,
} from './ask.ts';
export { API_VERSION, HEADERS, NDJSON } from './http.ts';
export { encodeLine, type Line, type Progress } from './lines.ts';
