import { AppError } from '@devdb/shared/errors';
import type { Handler } from '@devdb/shared/tools';
import { evaluate, whereTo } from '../../debug/evaluate.ts';
import { newFile } from '../../debug/new-file.ts';
import { saveChildren } from '../../debug/save-children.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugSaveVariable: Handler<'debug_save_variable', EditorContext> = async (input, context) => {
  const { root, signal, progress } = context;
  const debug = await context.debug();
  const place = await context.unlessEnded(whereTo(debug, context, input));
  const path = newFile(root, input.outputPath);
  const answer = await context.unlessEnded(context.change(() => evaluate(place, input.expression, input.context)));
  if (answer.variablesReference === 0) {
    throw new AppError('E_NOT_EXPANDABLE', 'The value has no children that could be written line by line.', {
      hint: 'debug_evaluate shows a single value.',
    });
  }
  const saved = await saveChildren(place.member, answer, path.absolute, { ...input, signal, progress });
  return { outputPath: path.relative, ...saved };
};
