/** Where bridges of editors look for a listener without a token. */
export const FIRST_TOKENLESS_PORT = 9_960;
export const LAST_TOKENLESS_PORT = 9_990;
