/** A disk of a few megabytes of the test's own, which can be filled and freed again. Linux, as root. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  /** Leaves no byte. */
  fill(): void
  free(): void
  remove(): void
}

/** Why no disk can be made here; null where one can. */
export const smallDiskMissing = canMount() ? null : 'skipped: this account may mount no disk of its own'

/** A disk of this size in MiB. `owner`: the user whose it is. */
export function makeSmallDisk(megabytes: number, owner?: { uid: number; gid: number }): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const whose = owner ? `,uid=${owner.uid},gid=${owner.gid}` : ''
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700${whose}`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  const free = () => rmSync(filler, { force: true })
  return {
    folder,
    fill() {
      free()
      // Until nothing more goes in: what was left last time is less than a page.
      for (let size = 2 ** 20; size >= 1;) {
        try {
          writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          size = Math.floor(size / 16)
        }
      }
    },
    free,
    remove() {
      spawnSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0
  if (mounted) spawnSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
  return mounted
}
