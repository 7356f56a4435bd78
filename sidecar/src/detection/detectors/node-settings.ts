import { Collector } from '../collector.ts';
import { type Detector, PRIORITY } from '../detector.ts';
import { driversOf } from '../driver-packages.ts';
import { addServersOfCompose, addSettingsFiles } from './settings-files.ts';

const NAME = 'node-settings';

/** The settings files of Node programs that have a format of their own, as the packages config, nconf and js-yaml read them. */
export const nodeSettings: Detector = {
  name: NAME,
  looksFor: ['config.yml, config.json, config/default.json, config/development.yaml beside package.json'],
  async detect(project, signal) {
    const collector = new Collector(NAME, PRIORITY.variables);
    for (const app of await project.apps(signal)) {
      if (!app.has('package.json')) continue;
      const drivers = (await driversOf(app)).filter(({ file }) => file === app.path('package.json'));
      if (drivers.length > 0)
        await addSettingsFiles(app, collector, [...new Set(drivers.map(({ kind }) => kind))], signal);
      else await addServersOfCompose(app, collector, await project.compose(signal), signal);
    }
    return collector.detection;
  },
};
