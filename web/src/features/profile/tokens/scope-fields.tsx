import { TOKEN_SCOPES, type TokenScope } from '@looptide/contracts/token-scopes'
import { useId } from 'react'

/** One checkbox for each scope that is offered. */
export function ScopeFields(props: {
  name: string
  error: string | undefined
  offered: readonly TokenScope[]
  chosen: readonly TokenScope[]
  onChange: (chosen: TokenScope[]) => void
}) {
  const { name, error, offered, chosen, onChange } = props
  const errorId = useId()
  return (
    <fieldset className="grid gap-1" aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 text-sm font-medium">Permissions</legend>
      {offered.map((scope) => (
        <label key={scope} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            name={scope === offered[0] ? name : `${name}-${scope}`}
            className="size-5 shrink-0 accent-primary"
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              onChange(offered.filter((each) => (each === scope ? target.checked : chosen.includes(each))))
            }
          />
          <span className="text-sm">
            <span className="font-mono font-semibold">{scope}</span>
            <span className="block text-muted">{TOKEN_SCOPES[scope]}</span>
          </span>
        </label>
      ))}
      {error && (
        <p id={errorId} className="text-sm font-medium">
          <span aria-hidden="true">⚠ </span>
          {error}
        </p>
      )}
    </fieldset>
  )
}
