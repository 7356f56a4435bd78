import type { AppFolder } from './app-folder.ts';
import type { Collector } from './collector.ts';

/** Whether an application's package.json depends on a package; a name that ends with a slash stands for a scope. */
export async function dependsOn(app: AppFolder, collector: Collector, name: string): Promise<boolean> {
  if (!app.has('package.json')) return false;
  const text = await collector.textOf(app, app.path('package.json'));
  return text?.includes(name.endsWith('/') ? `"${name}` : `"${name}"`) ?? false;
}
