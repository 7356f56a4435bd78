import type { Detector } from './detector.ts';
import { adonis } from './detectors/adonis.ts';
import { compose } from './detectors/compose.ts';
import { databaseUrl } from './detectors/database-url.ts';
import { ddev } from './detectors/ddev.ts';
import { devdbrc } from './detectors/devdbrc.ts';
import { django } from './detectors/django.ts';
import { dotnet } from './detectors/dotnet.ts';
import { drizzle } from './detectors/drizzle.ts';
import { environmentVariables } from './detectors/environment-variables.ts';
import { go } from './detectors/go.ts';
import { knexfile } from './detectors/knexfile.ts';
import { lando } from './detectors/lando.ts';
import { laravel } from './detectors/laravel.ts';
import { phoenix } from './detectors/phoenix.ts';
import { prisma } from './detectors/prisma.ts';
import { rails } from './detectors/rails.ts';
import { sequelize } from './detectors/sequelize.ts';
import { sequelizeSource } from './detectors/sequelize-source.ts';
import { spring } from './detectors/spring.ts';
import { sqlalchemy } from './detectors/sqlalchemy.ts';
import { sqliteFiles } from './detectors/sqlite-files.ts';
import { supabase } from './detectors/supabase.ts';
import { symfony } from './detectors/symfony.ts';
import { typeorm } from './detectors/typeorm.ts';
import { wordpress } from './detectors/wordpress.ts';
import { wpEnv } from './detectors/wp-env.ts';

/** Every detector, in the order doctor reports them. A new one is one file and one line. */
export const DETECTORS = [
  devdbrc,
  databaseUrl,
  laravel,
  symfony,
  wordpress,
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
  adonis,
  environmentVariables,
  dotnet,
  spring,
  ddev,
  lando,
  wpEnv,
  supabase,
  compose,
  sqliteFiles,
] as const satisfies readonly Detector[];
