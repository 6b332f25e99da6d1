import { EMBED_SIZES, type EmbedView, embedCode, embedPath } from '@looptide/contracts/embed-code'
import { programmeAt } from '@looptide/playhead/programme'
import { useState } from 'react'
import { useBrand } from '../../lib/api/use-config.ts'
import { copyText } from '../../lib/browser/copy-text.ts'
import { serverClock } from '../../lib/clients.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import type { LivePageState } from './live-page-state.ts'

const EMBEDS: readonly { id: EmbedView; label: string }[] = [
  { id: 'player', label: 'Player' },
  { id: 'now', label: 'Strip' },
  { id: 'chat', label: 'Chat' },
]

const addressOf = (path: string): string => new URL(path, window.location.origin).href

/** A dialog with the addresses of the channel and of what is on, and the code that shows the channel on another site. */
export function SharePanel({ page }: { page: LivePageState }) {
  const { channelId, channels, closePanel } = page
  const { shortName } = useBrand()
  // The channel's programme, also while the picture shows another, at the time of the press: what is copied does not change.
  const [onAir] = useState(() => programmeAt(page.channel.timeline?.programmes ?? [], serverClock.nowMs()))
  const [view, setView] = useState<EmbedView>('player')
  const name = channels.find(({ id }) => id === channelId)?.name ?? 'Live TV'
  const url = addressOf(paths.live({ channel: channelId }))
  const code = embedCode({
    url: addressOf(embedPath(channelId, view)),
    title: `${name} · ${shortName}`,
    ...EMBED_SIZES[view],
  })
  return (
    <Dialog title="Share" isOpen onClose={closePanel}>
      <div className="grid gap-6">
        <ShareSheet title={name} url={url} />
        <Copied label="Link to this channel" text={url} />
        {onAir?.video && (
          <Copied
            label="Link to this programme"
            text={addressOf(paths.history({ channel: channelId, at: Math.ceil(onAir.startsAtMs) }))}
            hint={`“${onAir.video.title}” in the history of the channel.`}
          />
        )}
        <div className="grid gap-3">
          <Choice label="Embed on another site" options={EMBEDS} value={view} onChange={setView} />
          <TextArea
            label="Embed code"
            readOnly
            rows={4}
            className="font-mono text-sm break-all"
            value={code}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Button className="justify-self-start" onClick={() => void copyText(code, 'The embed code')}>
            Copy embed code
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The button of the system's share sheet. Not in every browser, and only at secure addresses. */
function ShareSheet(data: { title: string; url: string }) {
  const share: typeof navigator.share | undefined = navigator.share
  if (share === undefined) return null
  return (
    <Button
      tone="primary"
      icon="share"
      className="justify-self-start"
      // Rejects when the sheet is closed without a choice.
      onClick={() => void navigator.share(data).catch(() => undefined)}
    >
      Share with an app
    </Button>
  )
}

/** An address, and the button that copies it. */
function Copied({ label, text, hint }: { label: string; text: string; hint?: string }) {
  return (
    <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start">
      <TextArea
        label={label}
        hint={hint}
        readOnly
        rows={2}
        className="field-sizing-content break-all"
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        className="justify-self-start sm:mt-6.5"
        aria-label={`Copy ${label.toLowerCase()}`}
        onClick={() => void copyText(text, `The ${label.toLowerCase()}`)}
      >
        Copy
      </Button>
    </div>
  )
}
