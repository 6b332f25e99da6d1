import { type SubmitEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { paths } from './paths.ts'

/** The search box of the header: Enter with a text goes to the results, a blank one nowhere. */
export function HeaderSearch({ className }: { className?: string }) {
  const navigate = useNavigate()
  const location = useLocation()
  const [text, setText] = useState('')

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const query = text.trim()
    if (query === '') return
    navigate(paths.search({ q: query }), {
      state: { query, searchType: 'general', fromPath: location.pathname },
    })
  }

  return (
    <search className={className}>
      <form onSubmit={submit} className="relative">
        <Icon
          name="search"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-muted"
        />
        <input
          type="search"
          aria-label="Search"
          placeholder="Search"
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
          className={classNames('field', 'rounded-full pl-10.5 text-sm')}
        />
      </form>
    </search>
  )
}
