import type { ButtonHTMLAttributes, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

export type ButtonTone = 'primary' | 'quiet' | 'plain' | 'danger'

const TONES: Record<ButtonTone, string> = {
  primary: 'bg-primary text-on-primary hover:brightness-110',
  quiet: 'bg-raised text-text hover:bg-line',
  plain: 'text-text hover:bg-raised',
  danger: 'bg-live text-on-live hover:brightness-110',
}

/** The look of a button, for links that are meant to be pressed as well. */
export const buttonClass = (tone: ButtonTone = 'quiet', className?: string): string =>
  classNames(
    'lift inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-4 py-2 text-sm font-semibold',
    'disabled:cursor-not-allowed disabled:opacity-55',
    TONES[tone],
    className,
  )

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: ButtonTone
  icon?: IconName
  ref?: Ref<HTMLButtonElement>
}

export function Button({ tone = 'quiet', icon, className, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={buttonClass(tone, className)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ButtonProps, 'children'> & { icon: IconName; label: string }

/** A button that shows only its icon; `label` is its name. */
export function IconButton({
  icon,
  label,
  tone = 'plain',
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={buttonClass(tone, classNames('size-11 px-0', className))}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}
