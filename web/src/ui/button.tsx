import { type ButtonHTMLAttributes, type FocusEvent, type MouseEvent, type Ref, useState } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

export type ButtonTone = 'primary' | 'quiet' | 'plain' | 'danger'

const TONES: Record<ButtonTone, string> = {
  primary: 'border border-primary-edge bg-primary text-on-primary hover:brightness-110',
  quiet: 'bg-raised text-text hover:bg-line',
  plain: 'text-text hover:bg-raised',
  danger: 'bg-live text-on-live hover:brightness-110',
}

/** The classes of a button, also for links styled as buttons. */
export const buttonClass = (tone: ButtonTone = 'quiet', className?: string): string =>
  classNames('button', TONES[tone], className)

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: ButtonTone
  icon?: IconName
  /** An action runs: the button keeps the focus, which a disabled one would lose, and does nothing. */
  isBusy?: boolean | undefined
  ref?: Ref<HTMLButtonElement>
}

/**
 * The props of a `button` that can be busy or disabled. A disabled element loses the focus and cannot get it back from a
 * dialog that closes; so a button that has had the focus stays focusable, and only does nothing.
 */
function usePressable({ isBusy, disabled, onFocus, ...rest }: ButtonProps) {
  const [isKnown, setKnown] = useState(false)
  return {
    type: 'button',
    ...rest,
    disabled: disabled && !isKnown,
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      setKnown(true)
      onFocus?.(event)
    },
    ...((isBusy || (disabled && isKnown)) && INERT),
  } as const
}

/** Pressing it does nothing, nor does Enter in a field of its form. */
const INERT = { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() } as const

/** A button of the app's design. While `isBusy` it cannot be pressed. */
export function Button({ tone = 'quiet', icon, className, children, ...props }: ButtonProps) {
  return (
    <button className={buttonClass(tone, className)} {...usePressable(props)}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ButtonProps, 'children'> & { icon: IconName; label: string }

/** A button with only an icon; `label` is its accessible name. */
export function IconButton({ icon, label, tone = 'plain', className, ...props }: IconButtonProps) {
  return (
    <button
      aria-label={label}
      title={label}
      className={buttonClass(tone, classNames('button-icon', className))}
      {...usePressable(props)}
    >
      <Icon name={icon} />
    </button>
  )
}
