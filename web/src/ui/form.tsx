import type { ReactNode } from 'react'
import { Button, type ButtonTone } from './button.tsx'
import type { IconName } from './icon.tsx'
import type { FormState } from './use-form.ts'

/** The state that `Form` and `SubmitButton` render. */
type RenderedForm = Pick<FormState, 'isBusy' | 'onSubmit' | 'onInput'>

/** A form whose state is in `useForm`. The browser's own validation is off. */
export function Form(props: { form: RenderedForm; className?: string; children: ReactNode }) {
  const { isBusy, onSubmit, onInput } = props.form
  return (
    <form
      onSubmit={onSubmit}
      onInput={onInput}
      noValidate
      aria-busy={isBusy}
      className={props.className ?? 'grid gap-4'}
    >
      {props.children}
    </form>
  )
}

/** The button that submits a form. While the form is sent it keeps the focus and does nothing. */
export function SubmitButton(props: {
  form: Pick<FormState, 'isBusy'>
  /** Replaces the label while the form is sent. */
  busyLabel?: string
  tone?: ButtonTone
  icon?: IconName
  /** The form cannot be sent yet. */
  disabled?: boolean
  className?: string
  children: ReactNode
}) {
  const { isBusy } = props.form
  return (
    <Button
      type="submit"
      tone={props.tone ?? 'primary'}
      {...(props.icon && { icon: props.icon })}
      disabled={props.disabled}
      isBusy={isBusy}
      className={props.className}
    >
      {isBusy ? (props.busyLabel ?? props.children) : props.children}
    </Button>
  )
}

/**
 * The last row of a form in a dialog, in view however long the form is: a button that closes the dialog, and the one that
 * submits. `start`: other actions, at the other end.
 */
export function DialogActions(props: {
  onCancel: () => void
  cancelLabel?: string
  start?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="sticky -bottom-5 z-20 -mx-5 -mb-5 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-panel px-5 py-3">
      {props.start && <div className="mr-auto flex flex-wrap items-center gap-2">{props.start}</div>}
      <Button onClick={props.onCancel}>{props.cancelLabel ?? 'Cancel'}</Button>
      {props.children}
    </div>
  )
}
