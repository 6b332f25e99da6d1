import type { ButtonHTMLAttributes, Ref } from 'react'
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

const BUSY = { 'aria-disabled': true, onClick: undefined } as const

/** A button of the app's design. While `isBusy` it cannot be pressed. */
export function Button(props: ButtonProps) {
  const { tone = 'quiet', icon, isBusy, className, children, type = 'button', ...rest } = props
  return (
    <button type={type} className={buttonClass(tone, className)} {...rest} {...(isBusy && BUSY)}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ButtonProps, 'children'> & { icon: IconName; label: string }

/** A button with only an icon; `label` is its accessible name. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, tone = 'plain', isBusy, className, type = 'button', ...rest } = props
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={buttonClass(tone, classNames('button-icon', className))}
      {...rest}
      {...(isBusy && BUSY)}
    >
      <Icon name={icon} />
    </button>
  )
}
