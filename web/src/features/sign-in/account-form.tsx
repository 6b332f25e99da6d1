import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { Submission } from './use-submit.ts'

/**
 * The frame of every form about an account: its fields, one button that sends it, and what else can be done. While
 * it is being sent the button keeps the focus and does nothing.
 */
export function AccountForm(props: {
  submission: Submission
  button: string
  busyButton: string
  children: ReactNode
  footer?: ReactNode
  /** One form of several on a page: its button is no wider than it has to be. */
  isCompact?: boolean
}) {
  const { isBusy, submit, forgetProblem } = props.submission
  return (
    <form onSubmit={submit} onInput={forgetProblem} noValidate aria-busy={isBusy} className="grid gap-4">
      {props.children}
      <Button
        type="submit"
        tone="primary"
        aria-disabled={isBusy}
        className={classNames(
          'aria-disabled:opacity-55',
          props.isCompact ? 'justify-self-start' : 'mt-1 min-h-12 text-base',
        )}
      >
        {isBusy ? props.busyButton : props.button}
      </Button>
      {props.footer}
    </form>
  )
}
