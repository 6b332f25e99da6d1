/**
 * Whether this browser may use passkeys here. `PublicKeyCredential` exists on secure pages only, and passkeys belong to
 * a domain: browsers create none for an IP address.
 */
export const isPasskeySupported = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname)

const KEY = 'looptide-passkey'

/** Remembers that this browser has used a passkey of the station. */
export function rememberPasskey(): void {
  try {
    localStorage.setItem(KEY, '1')
  } catch {
    // Without storage the sign-in page offers passkeys by its button only.
  }
}

/** Whether this browser has used a passkey of the station. */
export function hasKnownPasskey(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}
