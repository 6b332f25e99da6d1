import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { FieldFrame, useDescription } from '../../../ui/field.tsx'
import { useTags } from '../api.ts'
import { tagProblem, tagsOf, tagText } from './tag-text.ts'

/** Suggestions shown for a tag. */
const MAX_SUGGESTIONS = 100

/**
 * A field for tags. Enter, a comma or leaving the field adds what was typed, Backspace in an empty field removes the last
 * tag. `value` is the text of all tags, see {@link tagText}.
 */
export function TagField(props: {
  label: string
  value: string
  hint?: string
  onChange: (text: string) => void
}) {
  const { value, onChange } = props
  const tags = tagsOf(value)
  const [typed, setTyped] = useState('')
  const known = useTags()
  const suggestionsId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { id, textId, text } = useDescription({
    label: props.label,
    hint: props.hint,
    error: tagProblem(tags),
  })

  const add = (added: string) => {
    setTyped('')
    if (added.trim() !== '') onChange(tagText(tagsOf(tagText([...tags, added]))))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '') onChange(tagText(tags.slice(0, -1)))
  }
  const remove = (tag: string) => {
    onChange(tagText(tags.filter((other) => other !== tag)))
    input.current?.focus()
  }

  return (
    <FieldFrame
      id={id}
      textId={textId}
      text={text}
      isError={tagProblem(tags) !== undefined}
      label={props.label}
    >
      <div className="grid gap-2">
        {tags.length > 0 && (
          <ul aria-label={`${props.label}: chosen`} className="flex flex-wrap gap-2">
            {tags.map((tag) => (
              <li key={tag} className="flex min-w-0 items-center gap-1 rounded-md bg-raised pl-3 text-sm">
                <span className="min-w-0 wrap-anywhere">{tag}</span>
                <IconButton icon="close" label={`Remove tag ${tag}`} onClick={() => remove(tag)} />
              </li>
            ))}
          </ul>
        )}
        <input
          ref={input}
          id={id}
          className="field"
          list={suggestionsId}
          autoComplete="off"
          aria-describedby={textId}
          aria-invalid={tagProblem(tags) ? true : undefined}
          value={typed}
          onChange={({ target }) => (target.value.includes(',') ? add(target.value) : setTyped(target.value))}
          onBlur={() => add(typed)}
          onKeyDown={onKeyDown}
        />
        <datalist id={suggestionsId}>
          {known.slice(0, MAX_SUGGESTIONS).map(({ tag }) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
      </div>
    </FieldFrame>
  )
}
