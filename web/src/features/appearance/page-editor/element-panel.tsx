import { typedNumber } from '@looptide/contracts/typed-text'
import { useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { SliderField } from '../../../ui/slider-field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import {
  BORDER_RADIUS,
  type ElementChange,
  type ElementStyles,
  FONT_SIZE,
  type FontWeight,
  imageUrl,
  MAX_CONTENT,
  PADDING,
  type PageElement,
} from './layout.ts'

const WEIGHTS: readonly { value: FontWeight; label: string }[] = [
  { value: '400', label: 'Normal' },
  { value: '500', label: 'Medium' },
  { value: '600', label: 'Semibold' },
  { value: '700', label: 'Bold' },
]
/** Color of a background when it is switched on. */
const DEFAULT_BACKGROUND = '#23282e'

interface PanelProps {
  title: string
  element: PageElement
  /** Changes of one gesture, e.g. of one slider, are undone together. */
  onChange: (change: ElementChange, gesture?: string) => void
  onDelete: () => void
}

/** Form for one element: content, position, size and style. */
export function ElementPanel({ title, element, onChange, onDelete }: PanelProps) {
  const { id, styles } = element
  const changeStyle = (part: Partial<ElementStyles>) =>
    onChange({ styles: part }, `${id} ${Object.keys(part).join(' ')}`)
  const hasBackground = styles.backgroundColor !== 'transparent'
  return (
    <section
      aria-labelledby="page-element"
      className="grid gap-4 rounded-lg border border-line/70 bg-panel p-4"
    >
      <h3 id="page-element" className="truncate font-semibold">
        {title}
      </h3>
      <ContentField element={element} onChange={onChange} />
      <PlaceFields element={element} onChange={onChange} />
      <Switch label="Visible" isOn={element.visible} onChange={(visible) => onChange({ visible })} />
      {element.type !== 'image' && (
        <>
          <SliderField
            label="Font size"
            unit="px"
            {...FONT_SIZE}
            value={styles.fontSize}
            onChange={(value) => changeStyle({ fontSize: value })}
          />
          <SelectField
            label="Font weight"
            choices={WEIGHTS}
            value={styles.fontWeight}
            onChange={(value) => changeStyle({ fontWeight: value })}
          />
          <ColorField
            label="Color"
            value={styles.color}
            onChange={(value) => changeStyle({ color: value })}
          />
        </>
      )}
      <Switch
        label="Background"
        isOn={hasBackground}
        onChange={(isOn) =>
          onChange({ styles: { backgroundColor: isOn ? DEFAULT_BACKGROUND : 'transparent' } })
        }
      />
      {hasBackground && (
        <ColorField
          label="Background color"
          value={styles.backgroundColor}
          onChange={(value) => changeStyle({ backgroundColor: value })}
        />
      )}
      <SliderField
        label="Border radius"
        unit="px"
        {...BORDER_RADIUS}
        value={styles.borderRadius}
        onChange={(value) => changeStyle({ borderRadius: value })}
      />
      <SliderField
        label="Padding"
        unit="px"
        {...PADDING}
        value={styles.padding}
        onChange={(value) => changeStyle({ padding: value })}
      />
      <Button tone="danger" icon="remove" onClick={onDelete}>
        Delete Element
      </Button>
    </section>
  )
}

function ContentField({ element, onChange }: Pick<PanelProps, 'element' | 'onChange'>) {
  const { id, type, content } = element
  const change = (text: string) => onChange({ content: text }, `${id} content`)
  if (type === 'image') {
    return (
      <TextField
        label="Image URL"
        type="url"
        placeholder="https://"
        hint="Must use https. Images from hosts that are not allowed are not shown."
        error={content !== '' && !imageUrl(content) ? 'Please enter an https URL' : undefined}
        maxLength={MAX_CONTENT}
        value={content}
        onChange={(event) => change(event.target.value)}
      />
    )
  }
  return (
    <TextArea
      label={type === 'button' ? 'Label' : 'Text'}
      rows={type === 'button' ? 1 : 3}
      maxLength={MAX_CONTENT}
      value={content}
      onChange={(event) => change(event.target.value)}
    />
  )
}

const PLACES = [
  { name: 'x', label: 'Left', to: (x: number) => ({ x }) },
  { name: 'y', label: 'Top', to: (y: number) => ({ y }) },
  { name: 'width', label: 'Width', to: (width: number) => ({ width }) },
  { name: 'height', label: 'Height', to: (height: number) => ({ height }) },
] as const

/** Position and size in px. A value is applied on blur, so that the element does not jump while typing. */
function PlaceFields({ element, onChange }: Pick<PanelProps, 'element' | 'onChange'>) {
  return (
    <div className="grid grid-cols-2 gap-3">
      {PLACES.map(({ name, label, to }) => (
        <TextField
          key={`${name} ${element[name]}`}
          label={label}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={element[name]}
          onBlur={(event) => {
            const value = typedNumber(event.target.value)
            if (Number.isFinite(value) && value !== element[name]) onChange(to(value))
          }}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      ))}
    </div>
  )
}

function ColorField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <div className="flex items-center gap-3">
      <label htmlFor={id} className="flex-1 text-sm font-medium">
        {props.label}
      </label>
      <span className="text-sm text-muted">{props.value}</span>
      <input
        id={id}
        type="color"
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        className="h-11 w-14 cursor-pointer rounded-sm border border-line bg-deep p-1"
      />
    </div>
  )
}
