/** A disk on which every flush takes its time: a library put before a program's own fsync. Linux with a C compiler. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Waits, then asks the system's own: what SQLite calls when a commit must be durable. */
const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int file) {
  const char *told = getenv("SLOW_DISK_MS");
  long most = told ? atol(told) : 0;
  if (most > 0) {
    long wait = random() % (most + 1);
    struct timespec length = { wait / 1000, (wait % 1000) * 1000000L };
    nanosleep(&length, NULL);
  }
  int (*own)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return own(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
`

export interface SlowDisk {
  /** Environment of a program whose flushes each take up to so many milliseconds. */
  env(milliseconds: number): Record<string, string>
  remove(): void
}

/** Why there is none here; null where there is. */
export const slowDiskMissing =
  process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0
    ? null
    : 'this machine has no C compiler (cc) to make the disk slow with'

export function makeSlowDisk(): SlowDisk {
  const folder = mkdtempSync(join(tmpdir(), 'slow-disk-'))
  const library = join(folder, 'slow-disk.so')
  writeFileSync(join(folder, 'slow-disk.c'), source)
  const made = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(folder, 'slow-disk.c'), '-ldl'], {
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`no slow disk could be made: ${made.stderr}`)
  return {
    env: (milliseconds) => ({ LD_PRELOAD: library, SLOW_DISK_MS: String(milliseconds) }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
