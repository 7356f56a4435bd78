import type { Handler } from '@devdb/shared/tools';
import { showTests } from '../../debug/test-at-cursor.ts';
import type { EditorContext } from '../editor-context.ts';

export const testShowTestingUi: Handler<'test_show_testing_ui', EditorContext> = async (_input, context) => {
  await context.unlessEnded(context.change(showTests));
  return { shown: true };
};
