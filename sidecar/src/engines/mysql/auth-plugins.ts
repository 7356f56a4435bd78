import { type AuthPlugin, authPlugins } from 'mysql2';
import { ClearTextRefused } from '../clear-text.ts';

/** The server's request for the password itself, where it does not know its digest. */
const FULL_AUTHENTICATION = 4;

const refuse: AuthPlugin = () => () => Promise.reject<Buffer>(new ClearTextRefused());

const cachingSha2: AuthPlugin = (parts) => {
  const plugin = authPlugins.caching_sha2_password({})(parts);
  return (data) => {
    const isRefused = data.length === 1 && data[0] === FULL_AUTHENTICATION;
    return isRefused ? Promise.reject<Buffer>(new ClearTextRefused()) : plugin(data);
  };
};

/**
 * Ways to log in that never give the password away. The driver would encrypt it with a key that the server sends, which
 * is as good as the clear: a server that wants the password sends its own.
 */
export const WITHOUT_CLEAR_TEXT = {
  caching_sha2_password: cachingSha2,
  sha256_password: refuse,
  mysql_clear_password: refuse,
} as const;
