import { useId } from 'react'

/** A labelled slider that shows its value. */
export function SliderField(props: {
  label: string
  min: number
  max: number
  unit: string
  value: number
  onChange: (value: number) => void
}) {
  const id = useId()
  const { label, min, max, unit, value } = props
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <output htmlFor={id} className="text-muted tabular-nums">
          {value} {unit}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        value={value}
        aria-valuetext={`${value} ${unit}`}
        onChange={(event) => props.onChange(event.target.valueAsNumber)}
        className="h-11 w-full cursor-pointer rounded-sm accent-accent"
      />
      <div aria-hidden="true" className="flex justify-between text-xs text-muted tabular-nums">
        <span>{min}</span>
        <span>{max}</span>
      </div>
    </div>
  )
}
