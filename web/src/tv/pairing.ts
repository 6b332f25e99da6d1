/** What the sign-in of the television shows. */
export type PairingState =
  | { kind: 'starting' }
  /** `code` as it is shown, `url` where it is entered, and `urlWithCode` for the QR code. */
  | { kind: 'waiting'; code: string; url: string; urlWithCode: string }
  | { kind: 'expired' | 'denied' | 'failed' | 'done' }

export interface PairedSession {
  access_token: string
  refresh_token: string
}

interface PairingDeps {
  fetch: (path: string, form: URLSearchParams) => Promise<Response>
  onState: (state: PairingState) => void
  /** Stores the session. */
  onSession: (session: PairedSession) => Promise<void>
}

const CLIENT_ID = 'tv'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const START = '/auth/v1/device'
const TOKEN = `/auth/v1/token?grant_type=${encodeURIComponent(GRANT)}`
/** Interval of polls if the server names none, and what `slow_down` adds to it (RFC 8628 §3.2, §3.5), in s. */
const DEFAULT_INTERVAL_S = 5
const SLOW_DOWN_S = 5

/** The answer to the start (RFC 8628 §3.2), times in s. */
interface Started {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete?: string
  expires_in: number
  interval?: number
}

/**
 * Signs this device in by a code that is entered on another one: RFC 8628. Polls until the user has decided or the code
 * has expired. Returns a function that ends it.
 */
export function startPairing({ fetch, onState, onSession }: PairingDeps): () => void {
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const report = (state: PairingState) => {
    if (!isStopped) onState(state)
  }

  const poll = async (deviceCode: string, intervalS: number): Promise<void> => {
    const answer = await askForSession(fetch, deviceCode)
    if (isStopped) return
    if ('session' in answer) {
      await onSession(answer.session).then(
        () => report({ kind: 'done' }),
        () => report({ kind: 'failed' }),
      )
    } else if (answer.error === 'expired_token') report({ kind: 'expired' })
    else if (answer.error === 'access_denied') report({ kind: 'denied' })
    else if (answer.error === 'authorization_pending') pollLater(deviceCode, intervalS)
    // Without an answer RFC 8628 §3.5 asks for fewer requests as well.
    else if (answer.error === 'slow_down' || answer.error === 'unavailable')
      pollLater(deviceCode, intervalS + SLOW_DOWN_S)
    else report({ kind: 'failed' })
  }
  const pollLater = (deviceCode: string, intervalS: number) => {
    timer = setTimeout(() => void poll(deviceCode, intervalS), intervalS * 1000)
  }

  const start = async (): Promise<void> => {
    report({ kind: 'starting' })
    try {
      const response = await fetch(START, new URLSearchParams({ client_id: CLIENT_ID }))
      if (!response.ok) throw new Error(`The start was answered with ${response.status}`)
      const started = (await response.json()) as Started
      const { verification_uri: url } = started
      const urlWithCode = started.verification_uri_complete ?? url
      report({ kind: 'waiting', code: started.user_code, url, urlWithCode })
      if (!isStopped) pollLater(started.device_code, started.interval ?? DEFAULT_INTERVAL_S)
    } catch {
      report({ kind: 'failed' })
    }
  }

  void start()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

type TokenAnswer = { session: PairedSession } | { error: string }

/** Polls the token endpoint. `unavailable`: no answer, or one of a server that is in trouble. */
async function askForSession(fetch: PairingDeps['fetch'], deviceCode: string): Promise<TokenAnswer> {
  const form = new URLSearchParams({ grant_type: GRANT, device_code: deviceCode, client_id: CLIENT_ID })
  try {
    const response = await fetch(TOKEN, form)
    if (response.status === 429 || response.status >= 500) return { error: 'unavailable' }
    const body = (await response.json()) as PairedSession & { error?: string }
    return response.ok ? { session: body } : { error: body.error ?? 'refused' }
  } catch {
    return { error: 'unavailable' }
  }
}
