import { useId } from 'react'
import { classNames } from './class-names.ts'

/** A switch that takes effect at once. */
export function Switch(props: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const id = useId()
  const { label, isOn, onChange } = props
  return (
    <div className="flex min-h-11 items-center gap-3">
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-labelledby={id}
        onClick={() => onChange(!isOn)}
        className={classNames(
          'lift relative h-6 w-11 shrink-0 rounded-full border transition-colors',
          isOn ? 'border-primary-edge bg-primary' : 'border-muted bg-deep',
        )}
      >
        <span
          aria-hidden="true"
          className={classNames(
            'absolute inset-y-0 left-0.5 my-auto size-4.5 rounded-full transition-transform',
            isOn ? 'translate-x-5 bg-on-primary' : 'bg-muted',
          )}
        />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the switch itself is what the keyboard reaches. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as a label of an input would. */}
      <span id={id} className="cursor-pointer text-sm font-medium" onClick={() => onChange(!isOn)}>
        {label}
      </span>
    </div>
  )
}
