import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { TextField } from '../../../ui/field.tsx'
import { usePeopleNamed } from './api.ts'

const DELAY_MS = 250

/** Somebody by the handle, with suggestions. While what stands there is nobody's handle, nobody is chosen. */
export function PersonField(props: {
  label: string
  chosenId: string | undefined
  /** The handle of who is chosen, as soon as it is known. */
  name: string | undefined
  onChoose: (userId: string | undefined) => void
}) {
  const { chosenId, name } = props
  const [text, setText] = useState(name ?? '')
  const [knownName, setKnownName] = useState(name)
  if (name !== knownName) {
    setKnownName(name)
    if (name !== undefined) setText(name)
    else if (text === knownName) setText('')
  }
  const wanted = text.trim().toLowerCase()
  const settled = useDebounced(wanted, DELAY_MS)
  const { data } = usePeopleNamed(settled)
  const people = wanted === '' ? [] : (data?.items ?? [])
  const match = people.find(({ profile }) => profile.handle?.toLowerCase() === wanted)
  const isNobody = wanted !== '' && settled === wanted && data !== undefined && people.length === 0
  const listId = useId()

  // The answer to what was typed comes later than the typing.
  const choose = useEffectEvent((userId: string) => {
    if (userId !== chosenId) props.onChoose(userId)
  })
  useEffect(() => {
    if (match) choose(match.id)
  }, [match])

  return (
    <>
      <TextField
        label={props.label}
        type="search"
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="Handle"
        maxLength={100}
        error={isNobody ? 'Nobody is called that' : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (chosenId !== undefined) props.onChoose(undefined)
        }}
      />
      <datalist id={listId}>
        {people.map(({ id, profile }) => (
          <option key={id} value={profile.handle ?? ''}>
            {profile.artistName ?? ''}
          </option>
        ))}
      </datalist>
    </>
  )
}
