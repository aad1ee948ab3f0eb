import { SignJWT } from 'jose'

export const testSecret = 'a shared secret of at least thirty-two characters'
export const testSchool = '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90'

/** What a district console needs to open by itself: passphrase, and a token that signs somebody in. */
export async function signedInEnv(
  person: { sub?: string; name?: string; role?: string; school_id?: string } = {},
): Promise<Record<string, string>> {
  const token = await new SignJWT({ school_id: testSchool, role: 'COUNSELOR', name: 'J. Marlow', ...person })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(person.sub ?? 'counselor-1')
    .setIssuedAt()
    .setExpirationTime('24h')
    .sign(new TextEncoder().encode(testSecret))
  return {
    PSYFLO_SIGN_IN_TOKEN: token,
    PSYFLO_JWT_SECRET: testSecret,
    PSYFLO_PASSPHRASE: 'correct horse battery staple',
  }
}
