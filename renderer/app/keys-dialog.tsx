import { Dialog } from '../controls/index.ts'
import { words } from '../words/index.ts'

const list = words.keys.list
const everywhere: [string[], string][] = [
  [['g', 'a'], list.goAlerts],
  [['g', 's'], list.goStudents],
  [['g', 'e'], list.goSessions],
  [['g', 'o'], list.goOverview],
  [['g', 't'], list.goSettings],
  [['g', 'h'], list.goHelp],
  [['/'], list.search],
  [['Ctrl K'], list.palette],
  [['Ctrl L'], list.lock],
  [['?'], list.keys],
]
const inAlerts: [string[], string][] = [
  [['j'], list.next],
  [['k'], list.previous],
  [['Enter'], list.open],
  [['a'], list.acknowledge],
  [['h'], list.handOff],
  [['n'], list.note],
  [['r'], list.resolve],
  [['e'], list.reveal],
]

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.keys.title} onClose={onClose} wide>
      <div className="grid gap-x-8 gap-y-4 narrow:grid-cols-2">
        <Part title={words.keys.moving} keys={everywhere} />
        <Part title={words.keys.inAlerts} keys={inAlerts} />
      </div>
    </Dialog>
  )
}

function Part({ title, keys }: { title: string; keys: [string[], string][] }) {
  return (
    <section>
      <h3 className="mb-1 text-small font-medium text-ink-faint">{title}</h3>
      <dl>
        {keys.map(([sequence, what]) => (
          <div key={what} className="flex items-center justify-between gap-4 py-0.5">
            <dt>{what}</dt>
            <dd className="flex items-center gap-1">
              {sequence.map((key, index) => (
                <span key={key} className="flex items-center gap-1">
                  {index > 0 && <span className="text-small text-ink-faint">{words.keys.then}</span>}
                  <kbd className="key-hint font-sans">{key}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
