import { useState } from 'react'
import { activeKeys, areKeysOn, setKeysOn } from '../../lib/keys/page-keys.ts'
import { REMOTE_KEYS } from '../../lib/remote/remote-keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Switch } from '../../ui/switch.tsx'

/** All keys that work on this page, and the switch that turns single keys off. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [groups] = useState(activeKeys)
  const [isOn, setOn] = useState(areKeysOn)
  const turn = (next: boolean) => {
    setKeysOn(next)
    setOn(next)
  }
  return (
    <Dialog title="Keys" isOpen onClose={onClose}>
      <div>
        <div className="gap-x-10 sm:columns-2">
          {groups.map(({ title, keys }) => (
            <KeyList key={title} title={title} keys={keys} />
          ))}
          <KeyList title="Everywhere" keys={REMOTE_KEYS} />
        </div>
        <div className="border-t border-line pt-4">
          <Switch label="Single keys act outside fields" isOn={isOn} onChange={turn} />
        </div>
      </div>
    </Dialog>
  )
}

function KeyList(props: { title: string; keys: readonly { keys: string; label: string }[] }) {
  return (
    <section aria-label={props.title} className="mb-6 grid break-inside-avoid content-start gap-2">
      <h3 className="text-sm font-semibold text-muted">{props.title}</h3>
      <dl className="grid gap-1.5">
        {props.keys.map(({ keys, label }) => (
          <div key={keys} className="flex items-baseline justify-between gap-4">
            <dt className="wrap-anywhere">{label}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.split(' ').map((name) => (
                <kbd
                  key={name}
                  className="min-w-7 rounded-sm border border-line bg-raised px-1.5 py-0.5 text-center font-sans text-sm"
                >
                  {name}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
