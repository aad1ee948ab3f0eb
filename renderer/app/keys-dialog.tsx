import { Dialog, keyList, keyNames, shownKeys, type KeyName, type KeyScope } from '../controls/index.ts'
import { words } from '../words/index.ts'

const parts: readonly KeyScope[] = ['everywhere', 'list', 'alerts']

/** Every key there is, by where it acts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.keys.title} onClose={onClose} wide>
      <div className="gap-x-8 narrow:columns-2">
        {parts.map((scope) => (
          <section key={scope} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-small font-medium text-ink-faint">{words.keys.scope[scope]}</h3>
            <dl>
              {keyNames
                .filter((name) => keyList[name].scope === scope)
                .map((name) => (
                  <div key={name} className="flex items-center justify-between gap-4 py-0.5">
                    <dt>{words.keys.list[name]}</dt>
                    <dd>
                      <KeyHint name={name} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** What to press, as it stands on the keys. */
export function KeyHint({ name }: { name: KeyName }) {
  return (
    <span className="flex items-center gap-1">
      {shownKeys(name).map((key, index) => (
        <span key={key} className="flex items-center gap-1">
          {index > 0 && <span className="text-small text-ink-faint">{words.keys.then}</span>}
          <kbd className="key-hint font-sans">{key}</kbd>
        </span>
      ))}
    </span>
  )
}
