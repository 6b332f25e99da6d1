import { encodeQR } from 'qr'
import { useEffect, useMemo, useState } from 'react'
import { authClient } from '../lib/clients.ts'
import { useSession } from '../lib/session/session.tsx'
import { type PairingState, startPairing } from './pairing.ts'
import { TvButton } from './parts.tsx'
import type { Tv } from './use-tv.ts'

/** The account of this television, or the sign-in with another device. */
export function AccountPanel({ tv }: { tv: Tv }) {
  const session = useSession()
  const close = () => tv.setPanel('info')
  if (session.status === 'signed-out') return <SignIn onCancel={close} />
  const { me, email } = session
  return (
    <div className="tv-main">
      <h2 className="tv-heading">Account</h2>
      <p className="tv-title">
        <bdi>{me?.profile.artistName ?? me?.profile.handle ?? email ?? 'Signed in'}</bdi>
      </p>
      <p className="tv-muted">
        This TV is one of your devices. You can sign it out on any of the others, too.
      </p>
      <div className="tv-row">
        <TvButton isFirst onPress={close}>
          Close
        </TvButton>
        <TvButton onPress={() => void session.signOut()}>Sign out</TvButton>
      </div>
    </div>
  )
}

const postForm = (path: string, form: URLSearchParams): Promise<Response> =>
  fetch(path, { method: 'POST', body: form })

function SignIn({ onCancel }: { onCancel: () => void }) {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<PairingState>({ kind: 'starting' })
  // Each attempt is a pairing of its own.
  useEffect(
    () => startPairing({ fetch: postForm, onState: setState, onSession: authClient.adoptSession }),
    [attempt],
  )
  return (
    <>
      <div className="tv-main">
        <h2 className="tv-heading">Sign in</h2>
        <div role="status" className="tv-lines">
          <Steps state={state} />
        </div>
        {/* Another row once it is over, so that its first button gets the focus. */}
        <div key={String(isOver(state))} className="tv-row">
          {isOver(state) && (
            <TvButton isFirst onPress={() => setAttempt(attempt + 1)}>
              {state.kind === 'failed' ? 'Try again' : 'New code'}
            </TvButton>
          )}
          <TvButton isFirst onPress={onCancel}>
            Cancel
          </TvButton>
        </div>
      </div>
      <div className="tv-aside">{state.kind === 'waiting' && <QrCode text={state.urlWithCode} />}</div>
    </>
  )
}

const isOver = ({ kind }: PairingState): boolean =>
  kind === 'expired' || kind === 'denied' || kind === 'failed'

function Steps({ state }: { state: PairingState }) {
  switch (state.kind) {
    case 'starting':
      return <p>Getting a code …</p>
    case 'waiting':
      return (
        <>
          <p>On your phone or computer, scan the picture or open</p>
          <p className="tv-title">{state.url.replace(/^https?:\/\//, '')}</p>
          <p>and allow this TV with the code</p>
          <p className="tv-code">{state.code}</p>
          <p className="tv-muted">This screen goes on by itself.</p>
        </>
      )
    case 'expired':
      return <p className="tv-title">The code has expired.</p>
    case 'denied':
      return <p className="tv-title">The sign-in of this TV was denied.</p>
    case 'failed':
      return <p className="tv-title">This TV could not be signed in.</p>
    case 'done':
      return <p className="tv-title">Signed in.</p>
  }
}

/** The modules that QR readers expect to be free around a code. */
const QUIET = 4

/** A QR code as a picture: black on white, whatever the theme. */
function QrCode({ text }: { text: string }) {
  const modules = useMemo(() => encodeQR(text, 'raw', { border: QUIET }), [text])
  const path = modules
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      role="img"
      aria-label="QR code of the address"
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      className="tv-qr"
    >
      <path d={path} />
    </svg>
  )
}
