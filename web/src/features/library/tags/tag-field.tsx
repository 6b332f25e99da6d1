import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { FieldFrame, useDescription } from '../../../ui/field.tsx'
import { useTags } from '../api.ts'
import { tagProblem, tagsOf, tagText } from './tag-text.ts'

/** Suggestions shown for a tag. */
const MAX_SUGGESTIONS = 100

/**
 * A field for tags. Enter or a comma adds what was typed, Backspace in an empty field removes the last tag. `value` is the
 * text of all tags, see {@link tagText}. What is typed counts as a tag at once: if leaving the field moved it to the tags
 * above, the button that was pressed would move away from under the pointer.
 */
export function TagField(props: {
  label: string
  value: string
  hint?: string
  onChange: (text: string) => void
}) {
  const { value, onChange } = props
  const { tags, typed, change } = useTyped(value, onChange)
  const known = useTags()
  const suggestionsId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { id, textId, text } = useDescription({
    label: props.label,
    hint: props.hint,
    error: tagProblem(tagsOf(value)),
  })

  const add = (added: string) => change(tagsOf(tagText([...tags, added])), '')
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '') change(tags.slice(0, -1), '')
  }
  const remove = (tag: string) => {
    change(
      tags.filter((other) => other !== tag),
      typed,
    )
    input.current?.focus()
  }

  return (
    <FieldFrame
      id={id}
      textId={textId}
      text={text}
      isError={tagProblem(tagsOf(value)) !== undefined}
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
          aria-invalid={tagProblem(tagsOf(value)) ? true : undefined}
          value={typed}
          onChange={({ target }) =>
            target.value.includes(',') ? add(target.value) : change(tags, target.value)
          }
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

/** The tags of the field and what is typed after them, until the value is changed from elsewhere. */
function useTyped(value: string, onChange: (text: string) => void) {
  const [own, setOwn] = useState({ value, tags: tagsOf(value), typed: '' })
  const { tags, typed } = own.value === value ? own : { tags: tagsOf(value), typed: '' }
  const change = (next: readonly string[], nextTyped: string) => {
    const text = tagText(tagsOf(tagText([...next, nextTyped])))
    setOwn({ value: text, tags: [...next], typed: nextTyped })
    onChange(text)
  }
  return { tags, typed, change }
}
