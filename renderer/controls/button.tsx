import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { ariaKeys, shownKeys, type KeyName } from './key-list.ts'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` once per region; `quiet` without a frame. */
  look?: 'primary' | 'plain' | 'quiet'
  /** The key that does the same, shown beside the words and told to assistive technology. */
  shortcut?: KeyName | undefined
  /** Something is under way: the button stays focusable and does nothing. */
  busy?: boolean
  children: ReactNode
}

const looks = {
  primary: 'bg-ink text-on-ink border-ink hover:opacity-90',
  plain: 'bg-surface text-ink border-line hover:bg-hover hover:border-line-strong',
  quiet: 'bg-transparent text-ink-soft border-transparent hover:bg-hover hover:text-ink',
} as const

export function Button({
  look = 'plain',
  shortcut,
  busy = false,
  children,
  className = '',
  onClick,
  ...rest
}: ButtonProps) {
  const off = busy || rest.disabled === true
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled}
      aria-disabled={busy || undefined}
      aria-keyshortcuts={shortcut && ariaKeys(shortcut)}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={`inline-flex min-h-7 items-center justify-center gap-2 rounded border px-2.5 py-0.5 font-medium whitespace-nowrap transition-colors ${looks[look]} ${off ? 'opacity-60' : ''} ${className}`}
    >
      {children}
      {shortcut && (
        <kbd aria-hidden="true" className="key-hint font-sans">
          {shownKeys(shortcut)}
        </kbd>
      )}
    </button>
  )
}
