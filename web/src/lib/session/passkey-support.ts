/**
 * Whether this browser may use passkeys here. `PublicKeyCredential` exists on secure pages only, and passkeys belong to
 * a domain: browsers create none for an IP address.
 */
export const isPasskeySupported = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname)
