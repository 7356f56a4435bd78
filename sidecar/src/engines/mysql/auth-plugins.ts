import { type AuthPlugin, authPlugins } from 'mysql2';
import { ClearTextRefused } from '../clear-text.ts';

/** The server's request for the password itself, when it has no cached digest. */
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
 * Login methods that never disclose the password. The driver would encrypt it with a key that the server sends, which
 * is no better than clear text: a server after the password sends its own key.
 */
export const WITHOUT_CLEAR_TEXT = {
  caching_sha2_password: cachingSha2,
  sha256_password: refuse,
  mysql_clear_password: refuse,
} as const;
