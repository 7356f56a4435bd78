export {
  ANSWER_FORM,
  ANSWERS,
  type Answer,
  type Question,
  type QuestionParts,
  questionOf,
  questionSchema,
  type Reply,
  readReply,
  replySchema,
} from './ask.ts';
export { API_VERSION, HEADERS, NDJSON, NDJSON_MCP } from './http.ts';
export { encodeLine, type Line, type Progress, RESULT_PREFIX } from './lines.ts';
