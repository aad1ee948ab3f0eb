import { phoneInText } from '../../shared/guardians.ts'

/** Whom to call, as the roster has it; a phone number stays in one line. */
export function Contact({ text }: { text: string }) {
  return text.split(phoneInText).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
