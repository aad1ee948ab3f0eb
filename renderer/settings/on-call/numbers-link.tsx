import { goTo } from '../../app/index.ts'
import { Button } from '../../controls/index.ts'
import { words } from '../../words/index.ts'

const text = words.onCall.ladder

/** Where what a student is shown in a crisis is changed. */
export function NumbersLink() {
  return (
    <p className="flex flex-wrap items-center gap-2">
      {text.numbers}
      <Button onClick={() => goTo('settings', 'directory')}>{text.numbersGo}</Button>
    </p>
  )
}
