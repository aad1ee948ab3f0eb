import { goTo } from '../app/index.ts'
import { Button } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.directory.numbers

/** Where the crisis numbers of a desk are changed. */
export function NumbersElsewhere() {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <p className="text-ink-soft">{text.elsewhere}</p>
      <Button onClick={() => goTo('settings', 'chat')}>{text.go}</Button>
    </div>
  )
}
