import { FEED_PATHS } from '@looptide/contracts/http/guide'
import { useId } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { SidePanel } from './side-panel.tsx'

/** Links to the guide for other applications: a calendar per channel, and all channels as XMLTV. */
export function SubscribePanel(props: {
  channels: readonly { id: string; title: string }[]
  onClose: () => void
}) {
  const { origin } = window.location
  return (
    <SidePanel
      title="Subscribe"
      description="Add the guide to your calendar or media centre. It updates automatically."
      onClose={props.onClose}
    >
      <div className="grid gap-7">
        <section aria-label="Calendar" className="grid gap-4">
          <h3 className="text-lg font-semibold">Calendar (iCalendar)</h3>
          {props.channels.map(({ id, title }) => {
            const url = origin + FEED_PATHS.calendar(id)
            return (
              <LinkField key={id} label={title} url={url}>
                <a href={url.replace(/^https?:/, 'webcal:')} className={buttonClass('quiet')}>
                  Open
                </a>
              </LinkField>
            )
          })}
        </section>
        <section aria-label="Media centre" className="grid gap-4">
          <h3 className="text-lg font-semibold">Media centre (XMLTV)</h3>
          <LinkField label="All channels" url={origin + FEED_PATHS.xmltv} />
        </section>
      </div>
    </SidePanel>
  )
}

function LinkField(props: { label: string; url: string; children?: React.ReactNode }) {
  const id = useId()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.url)
      toast({ title: 'Link copied', description: props.label, tone: 'success' })
    } catch {
      toast({ title: 'Could not copy the link', description: props.url, tone: 'error' })
    }
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-base font-medium tv:text-xl">
        {props.label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={props.url}
          onFocus={(event) => event.currentTarget.select()}
          className="field min-w-0 flex-1 text-muted"
        />
        <Button aria-label={`Copy link: ${props.label}`} onClick={() => void copy()}>
          Copy
        </Button>
        {props.children}
      </div>
    </div>
  )
}
