import type { Detector } from './detector.ts';
import { adonis } from './detectors/adonis.ts';
import { cakephp } from './detectors/cakephp.ts';
import { codeigniter } from './detectors/codeigniter.ts';
import { compose } from './detectors/compose.ts';
import { convict } from './detectors/convict.ts';
import { craft } from './detectors/craft.ts';
import { d1 } from './detectors/d1.ts';
import { databaseUrl } from './detectors/database-url.ts';
import { dbt } from './detectors/dbt.ts';
import { ddev } from './detectors/ddev.ts';
import { devdbrc } from './detectors/devdbrc.ts';
import { django } from './detectors/django.ts';
import { dockerRun } from './detectors/docker-run.ts';
import { dotnet } from './detectors/dotnet.ts';
import { drizzle } from './detectors/drizzle.ts';
import { drupal } from './detectors/drupal.ts';
import { environmentVariables } from './detectors/environment-variables.ts';
import { go } from './detectors/go.ts';
import { knexSource } from './detectors/knex-source.ts';
import { knexfile } from './detectors/knexfile.ts';
import { kysely } from './detectors/kysely.ts';
import { lando } from './detectors/lando.ts';
import { laravel } from './detectors/laravel.ts';
import { magento } from './detectors/magento.ts';
import { mikroOrm } from './detectors/mikro-orm.ts';
import { nodeSettings } from './detectors/node-settings.ts';
import { payload } from './detectors/payload.ts';
import { phoenix } from './detectors/phoenix.ts';
import { php } from './detectors/php.ts';
import { prisma } from './detectors/prisma.ts';
import { rails } from './detectors/rails.ts';
import { rust } from './detectors/rust.ts';
import { sequelize } from './detectors/sequelize.ts';
import { sequelizeSource } from './detectors/sequelize-source.ts';
import { spring } from './detectors/spring.ts';
import { sqlalchemy } from './detectors/sqlalchemy.ts';
import { sqliteFiles } from './detectors/sqlite-files.ts';
import { strapi } from './detectors/strapi.ts';
import { supabase } from './detectors/supabase.ts';
import { symfony } from './detectors/symfony.ts';
import { typeorm } from './detectors/typeorm.ts';
import { typo3 } from './detectors/typo3.ts';
import { wordpress } from './detectors/wordpress.ts';
import { wpEnv } from './detectors/wp-env.ts';
import { yii } from './detectors/yii.ts';

/** Every detector, in the order doctor reports them. A new one is one file and one line. */
export const DETECTORS = [
  devdbrc,
  databaseUrl,
  laravel,
  symfony,
  wordpress,
  codeigniter,
  cakephp,
  yii,
  craft,
  drupal,
  typo3,
  magento,
  php,
  rails,
  django,
  sqlalchemy,
  phoenix,
  go,
  prisma,
  drizzle,
  typeorm,
  sequelize,
  sequelizeSource,
  knexfile,
  knexSource,
  adonis,
  environmentVariables,
  nodeSettings,
  convict,
  mikroOrm,
  kysely,
  payload,
  strapi,
  d1,
  rust,
  dbt,
  dotnet,
  spring,
  ddev,
  lando,
  wpEnv,
  supabase,
  compose,
  dockerRun,
  sqliteFiles,
] as const satisfies readonly Detector[];
