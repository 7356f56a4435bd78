import { plain } from '../../plain-text.ts';
import { questionOf } from '../../protocol/ask.ts';
import { fileApproval } from './words.ts';

test('the question before a file of megabytes is written has its start, its end and how much lies between', () => {
  const approval = fileApproval('replace_file_text_by_path', plain`Replace the text of this file?`);
  const text = `THE START\n${'a line of it\n'.repeat(300_000)}THE END`;
  const { message } = questionOf({
    kind: 'change',
    title: plain`t`,
    ...approval.question({ pathInProject: 'a.ts', text }),
  });
  expect(message.length).toBeLessThan(6_000);
  expect(message).toMatch(/\| THE START\n.*\| THE END\n/s);
  expect(message).toMatch(/\[\.\.\. \d+ (characters|lines) are not shown \.\.\.\]/);
});
