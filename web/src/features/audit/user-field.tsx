import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { TextField } from '../../ui/field.tsx'
import { useUserSuggestions } from './api.ts'

const DEBOUNCE_MS = 250

/** Chooses a user by handle, with suggestions. No user is chosen while the text is not an existing handle. */
export function UserField(props: {
  label: string
  chosenId: string | undefined
  /** The chosen user's handle; undefined until the profile is loaded. */
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
  const query = text.trim().toLowerCase()
  const debouncedQuery = useDebounced(query, DEBOUNCE_MS)
  const { data } = useUserSuggestions(debouncedQuery)
  const users = query === '' ? [] : (data?.items ?? [])
  const match = users.find(({ profile }) => profile.handle?.toLowerCase() === query)
  const isUnknown = query !== '' && debouncedQuery === query && data !== undefined && users.length === 0
  const listId = useId()

  // The search response arrives after the text was typed.
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
        error={isUnknown ? 'No user found' : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (chosenId !== undefined) props.onChoose(undefined)
        }}
      />
      <datalist id={listId}>
        {users.map(({ id, profile }) => (
          <option key={id} value={profile.handle ?? ''}>
            {profile.artistName ?? ''}
          </option>
        ))}
      </datalist>
    </>
  )
}
