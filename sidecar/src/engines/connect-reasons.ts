/** Why something failed, and what to do next. */
export interface Explained {
  readonly says: string;
  readonly todo: string;
}

/** This engine's options for trusting a server. */
export interface TrustWords {
  /** How to name the CA's file, as an imperative without a full stop. */
  readonly nameCa: string;
  /** How to skip the check. */
  readonly skipCheck: string;
  /** How to ignore the name in the certificate, or give another. */
  readonly otherName: string;
}

const CHECK_ADDRESS = 'Check host and port of the connection, and whether the server is running and listening there.';
const CHECK_WAY = 'Check the network or VPN.';
const CLOSED: Explained = { says: 'The server closed the connection during login.', todo: CHECK_ADDRESS };
const SILENT: Explained = {
  says: 'The server did not answer in time.',
  todo: 'Check host, port and firewall of the connection.',
};

const NETWORK: Readonly<Record<string, Explained>> = {
  ENOTFOUND: {
    says: 'The host name of the database cannot be resolved.',
    todo: 'Check the host; a name that only exists inside a container network must be replaced by its published port.',
  },
  EAI_AGAIN: {
    says: 'The host name of the database could not be resolved just now.',
    todo: 'Check the network, then call again.',
  },
  ECONNREFUSED: { says: 'Nothing accepts connections at the address of the database.', todo: CHECK_ADDRESS },
  EHOSTUNREACH: { says: 'The host of the database cannot be reached.', todo: CHECK_WAY },
  ENETUNREACH: { says: 'The network of the database cannot be reached.', todo: CHECK_WAY },
  ETIMEDOUT: SILENT,
  ETIMEOUT: SILENT,
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ENOENT: {
    says: "The server's socket does not exist.",
    todo: 'Check whether the server is running and where its socket is.',
  },
  EACCES: { says: "This user may not use the server's socket.", todo: 'Check the permissions of its folder.' },
};

/** Whether a code is about a certificate or encryption. */
export function isAboutTls(code: string): boolean {
  return /CERT|SSL|TLS|UNABLE_TO|SELF_SIGNED/.test(code);
}

/** Why a connection failed, by a code of the system or of TLS; undefined for a code explained elsewhere. */
export function connectReason(code: string, { nameCa, skipCheck, otherName }: TrustWords): Explained | undefined {
  if (Object.hasOwn(NETWORK, code)) return NETWORK[code];
  if (!isAboutTls(code)) return undefined;
  const trust = `${nameCa}, or ${skipCheck} to skip the check.`;
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return {
        says: "The server's certificate is self-signed and not trusted.",
        todo: trust,
      };
    case 'CERT_HAS_EXPIRED':
      return {
        says: "The server's certificate has expired.",
        todo: `Renew it, or ${skipCheck} to skip the check.`,
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        says: "The server's certificate is for another host name.",
        todo: `Connect by the name in the certificate, or ${otherName}.`,
      };
    default:
      return /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY|GET_ISSUER)/.test(code)
        ? { says: "The server's certificate is signed by an unknown authority.", todo: trust }
        : { says: `The server's certificate or its encryption was not accepted (${code}).`, todo: trust };
  }
}
