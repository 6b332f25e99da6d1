import { type ReactNode, useSyncExternalStore } from 'react'
import { isChecking, onCheckingChange } from '../../lib/browser-check/fetch-with-proof.ts'
import { Form, SubmitButton } from '../../ui/form.tsx'
import type { FormState } from '../../ui/use-form.ts'

/** The layout of the sign-in and account forms: fields, a submit button and a footer. */
export function AccountForm(props: {
  form: FormState
  button: string
  busyButton: string
  children: ReactNode
  footer?: ReactNode
}) {
  return (
    <Form form={props.form}>
      {props.children}
      <BrowserCheckStatus />
      <SubmitButton form={props.form} busyLabel={props.busyButton} className="mt-1 min-h-12 text-base">
        {props.button}
      </SubmitButton>
      {props.footer}
    </Form>
  )
}

/** Shown while the browser solves a challenge of the server, which takes some seconds; empty otherwise. */
function BrowserCheckStatus() {
  const isRunning = useSyncExternalStore(onCheckingChange, isChecking)
  return (
    <p role="status" className="text-center text-sm text-muted empty:hidden">
      {isRunning ? 'Checking your browser...' : ''}
    </p>
  )
}
