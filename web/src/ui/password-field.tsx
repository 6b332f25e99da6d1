import { type KeyboardEvent, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { FieldFrame, type TextFieldProps, useDescription } from './field.tsx'

/** A password field with a show/hide button. It warns when Caps Lock is on; an error takes precedence. */
export function PasswordField({ label, hint, error, className, ...rest }: TextFieldProps) {
  const [shown, setShown] = useState(false)
  const [isLocked, setLocked] = useState(false)
  const shownHint = isLocked ? 'Caps Lock is on' : hint
  const { id, textId, text } = useDescription({ label, hint: shownHint, error })
  const watchLock = (event: KeyboardEvent) => setLocked(event.getModifierState('CapsLock'))
  return (
    <FieldFrame id={id} textId={textId} text={text} isError={Boolean(error)} label={label}>
      <div className="relative">
        <input
          id={id}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={classNames('field', 'pr-13', className)}
          aria-describedby={textId}
          aria-invalid={error ? true : undefined}
          onKeyDown={watchLock}
          onKeyUp={watchLock}
          onBlur={() => setLocked(false)}
          {...rest}
        />
        <IconButton
          icon={shown ? 'hide' : 'show'}
          label={shown ? 'Hide password' : 'Show password'}
          className="absolute inset-y-0 right-0.5 my-auto"
          onClick={() => setShown(!shown)}
        />
      </div>
    </FieldFrame>
  )
}
