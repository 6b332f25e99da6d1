import { type InputHTMLAttributes, type Ref, type TextareaHTMLAttributes, useId } from 'react'
import { classNames } from './class-names.ts'

export interface Described {
  label: string
  hint?: string | undefined
  error?: string | undefined
}

/** The ids that connect a field with the text below it. */
export function useDescription({ hint, error }: Described) {
  const id = useId()
  const text = error ?? hint
  return { id, textId: text ? `${id}-text` : undefined, text }
}

/** A label, a field, and below it the error or the hint. */
export function FieldFrame({ id, textId, text, isError, label, children }: FrameProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {text && (
        <p id={textId} className={classNames('text-sm', isError ? 'font-medium text-text' : 'text-muted')}>
          {isError && <span aria-hidden="true">⚠ </span>}
          {text}
        </p>
      )}
    </div>
  )
}

interface FrameProps {
  id: string
  textId: string | undefined
  text: string | undefined
  isError: boolean
  label: string
  children: React.ReactNode
}

export type TextFieldProps = InputHTMLAttributes<HTMLInputElement> &
  Described & { ref?: Ref<HTMLInputElement> }

/** A labelled text input, described by the error or hint below it. */
export function TextField({ label, hint, error, className, ...rest }: TextFieldProps) {
  const { id, textId, text } = useDescription({ label, hint, error })
  return (
    <FieldFrame id={id} textId={textId} text={text} isError={Boolean(error)} label={label}>
      <input
        id={id}
        className={classNames('field', className)}
        aria-describedby={textId}
        aria-invalid={error ? true : undefined}
        {...rest}
      />
    </FieldFrame>
  )
}

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & Described

/** A labelled multi-line text field. */
export function TextArea({ label, hint, error, className, ...rest }: TextAreaProps) {
  const { id, textId, text } = useDescription({ label, hint, error })
  return (
    <FieldFrame id={id} textId={textId} text={text} isError={Boolean(error)} label={label}>
      <textarea
        id={id}
        className={classNames('field', className)}
        aria-describedby={textId}
        aria-invalid={error ? true : undefined}
        {...rest}
      />
    </FieldFrame>
  )
}
