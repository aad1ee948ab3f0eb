/** Sentences that must be a crisis: plain, disguised and hard ones. Written apart from the patterns. */
import { fill, type Lists } from './grammar.ts'

export const explicit = [
  'I want to kill myself', "I'm going to kill myself", 'I want to die', 'I want to end my life', "I'm suicidal", 'I am feeling suicidal',
  'I have been thinking about suicide', "I don't want to live anymore", 'I wish I was dead', "I'd be better off dead", 'I want to end it all',
  'life is not worth living', "I'm going to end it tonight", "I'm thinking about killing myself", 'I plan to die this weekend',
  'I am planning my suicide', 'I wrote a suicide note', 'tonight is the night', 'goodbye forever everyone', 'this is my last message',
  "I don't want to be alive", "I don't want to be here anymore", 'I wish I could just die', 'I hope I die in my sleep', 'I wish I had never been born',
  'everyone would be better off without me', 'there is no reason for me to live', 'I have nothing left to live for', "I'm ready to die",
  'I just want to be dead', 'I keep thinking about ending my life', 'I want to take my own life', "I'm going to take my own life",
  'I am going to overdose tonight', 'I want to hang myself', "I'm going to hang myself", 'I want to jump off a bridge', "I'm going to shoot myself",
  'I want to slit my wrists', 'I took all my pills', 'I just swallowed a bottle of pills', 'I have the rope ready and I am going to use it',
  "I'm going to hurt myself tonight", "I'm going to cut myself tonight", 'I should just kill myself', 'I might kill myself', 'I could kill myself tonight',
  "I can't stop thinking about killing myself", 'I really want to die', 'I need to die', 'I deserve to die', 'please let me die', 'someone please kill me I mean it',
  "I don't see a reason to live", 'I see no point in living', "I'm tired of living", 'I am done with life', "I don't want to wake up tomorrow",
  "I won't be here tomorrow", 'by the time you read this I will be gone', 'nobody would care if I died', 'nobody would notice if I killed myself',
  'I tried to kill myself last night', 'I am about to commit suicide', 'I want to commit suicide', 'how do I kill myself', 'what is the easiest way to die',
  "I'm gonna end my life after school", 'I will kill myself before my birthday', 'I have a plan to kill myself', 'I have a plan and I have the pills',
  'why am I still alive', "I shouldn't be here", "I should be dead", 'dying sounds better than this', 'I would rather be dead',
  'I want to go to sleep and never wake up', 'I want to die so bad', 'my life should end', "I can't live anymore", 'I do not want to exist',
  'no i am serious, i want to die', 'yes. i want to kill myself', 'im gonna do it tonight, im going to kill myself', 'suicide is the only way out for me',
  'I hate being alive', 'I lost the will to live', 'the world would be better without me', 'my family would be better off if i was dead',
  'I think about dying every day', 'I have been having suicidal thoughts', 'I am having thoughts of suicide', 'I want my life to be over',
] as const

export const disguised = [
  'kms', 'i wanna kms', 'im gonna kms tonight', 'honestly might kms tn', 'i want to kms so bad', 'i want to unalive myself', 'gonna unalive myself',
  'thinking about unaliving myself', 'i wanna unalive', 'i need to unalive myself tonight', 'k!ll mys3lf', 'i want to k1ll mys3lf', 'i wanna d1e',
  'i want to d!e', 'i want 2 die', 'i wanna dieeee', 'i wannnna dieee', 'i want to diiie', 'im su1c1dal', 'i feel su!c!dal', 'im suicidle', 'i feel sucidal',
  'im feeling suicidial', 'thinking abt su1cide', 'i am thinking about su*cide', 'i want to k*ll myself', 'i want to ki11 myself', 'i want to kill my self',
  'i want to kill mysef', 'i want to kill myslef', 'i want to kil myself', 'i wnt to die', 'i wan to die', 'i want to kll myself', 'i want to killmyself',
  'iwanttodie', 'i wanttodie', 'killmyself tonight', 's u i c i d e', 'i want to commit s u i c i d e', 'k i l l m y s e l f', 'i want to k i l l myself',
  'i want to d i e', 'i want to k.i.l.l. myself', 'i want to k-i-l-l myself', 'kill_myself', 'i want to kill_myself', 'i want to kill...myself', 'i w a n t t o d i e',
  'i want to end my l1fe', 'i want to 3nd my life', 'end my lyfe', 'i wanna end it all fr', 'i dont wanna live', 'i dont wanna be alive nomore', 'dont want to live anymor',
  'i cant do this im gonna end my life', 'better off ded', 'im better off d3ad', 'i wish i was ded', 'i want to commit sewerslide', 'gonna commit sewer slide',
  'committing toaster bath tonight', 'im gonna off myself', 'gonna off myself tonight', 'i wanna neck myself', 'i want to rope myself', 'im gonna ctb', 'i want to ctb',
  'ready to catch the bus, i have everything i need', 'і want to kіll myself', 'i want tо diе', 'ｉ ｗａｎｔ ｔｏ ｄｉｅ', '𝐢 𝐰𝐚𝐧𝐭 𝐭𝐨 𝐝𝐢𝐞', '𝘬𝘪𝘭𝘭 𝘮𝘺𝘴𝘦𝘭𝘧', 'i wánt to díe', 'k\u200bill my\u200bself',
  'i want to kill\u00a0myself', 'I WANT TO KILL MYSELF', 'I WaNt To DiE', 'i want to fucking die', 'i fucking want to kill myself', 'i just really wanna die', 'i literally want to die im not kidding',
  'i wanna kill tf outta myself', 'im going 2 kill myself', 'im finna kill myself', 'imma kill myself', 'ima end it all tonight', 'bouta kill myself fr no joke', 'tryna kill myself',
  'i wish i wasnt alive', 'wish i wasnt here anymore', 'i shouldnt be alive', 'i shudnt be here', 'suicde is all i think about', 'i keep thinking about sucide', 'thinking of suiciding',
  'im gonna k m s', 'i want to k m s', 'kill me plz im done', 'i dnt want 2 live', 'i dont wnt to be here anymore', 'not worth livin', 'aint worth living', 'i dont wanna wake up tmrw', 'iwtd', 'hope i dont wake up tmr',
  'going to $uicide', 'im $uicidal', '5uicide is the only way out', 'i want to die!!!!!!', 'i.want.to.die', 'i want to... die', 'want to die 😭', 'i want to kill myself 💔', '#killmyself', '#iwanttodie', 'i wanna overdose so bad', 'gonna od tonight',
] as const

const lists: Lists = {
  open: ['', '', '', 'idk how to say this but', 'honestly', 'ok so', 'i never told anyone this but', 'please dont tell my mom but', 'i know its stupid but', 'sorry to dump this on you but', 'hey', 'its 2am and', 'i failed again and', 'they broke up with me and', 'after what happened at school', 'no one is listening so', 'i cant explain it,', 'i mean it,', 'today was bad and', 'my dad yelled at me again and', 'everyone hates me and', 'i dont feel anything and'],
  wish: ['i want to die', 'i want to kill myself', 'i want to end my life', 'i dont want to be alive', 'i dont want to live anymore', 'i wish i was dead', 'i wish i could die', 'i wish i didnt wake up this morning', 'i wish i was never born', 'i would rather be dead', 'i hope i dont wake up tomorrow', 'i think about killing myself', 'i keep thinking about ending my life', 'i cant stop thinking about dying', 'i have been thinking of taking my own life', 'i am going to kill myself', 'im gonna end my life', 'i plan on killing myself', 'i just want to stop living', 'i dont see a reason to stay alive', 'i have no reason to live', 'theres no point in being alive', 'i am better off dead', 'everyone would be better off if i was dead', 'they would all be happier if i was gone', 'nobody would miss me if i died', 'i feel suicidal', 'im having suicidal thoughts', 'i am so tired of being alive', 'i am done living', 'i hate that im still alive', 'i deserve to be dead', 'i need my life to be over', 'i want to sleep and never wake up', 'i dont deserve to live', 'my life isnt worth living', 'i want to hang myself', 'i want to overdose', 'i am going to jump off the roof', 'i want to slit my wrists'],
  close: ['', '', '', 'and i mean it', 'please help', 'and nobody knows', 'every single day', 'more than anything', 'i cant do it anymore', 'and im scared', 'what do i do', 'since my grandma passed', 'because of what he did', 'i have been like this for months', 'i am not joking', 'i feel so alone', 'dont tell anyone', 'i am so sorry', 'i am serious this time', 'it hurts too much', 'im crying so hard'],
  plan: ['i have the pills in my room', 'i know where my dad keeps the gun', 'i already wrote the note', 'i picked a day', 'i gave my dog to my cousin', 'i have a rope in my closet', 'i said goodbye to everyone', 'i know which bridge'],
  planned: ['and i am going to kill myself', 'and im going to end it tonight', 'so i can die', 'because i want to die', 'and tonight is the night', 'i am going to end my life', 'and i plan to die'],
  when: ['tonight', 'tomorrow', 'after school', 'this weekend', 'when everyone is asleep', 'on my birthday', 'before monday'],
  doing: ['kill myself', 'end my life', 'take my own life', 'overdose', 'hang myself', 'jump off the bridge', 'end it all', 'hurt myself', 'cut myself', 'commit suicide', 'slit my wrists', 'shoot myself'],
  will: ['im going to', 'i am going to', 'im gonna', "i'll", 'i will', 'im about to', 'i have decided to', 'i plan to'],
}

const frames = [
  '{open} {wish} {close}', '{open} {wish}. {close}', '{open} {will} {doing} {when} {close}', '{plan} {planned} {close}', '{open} {will} {doing} {close}',
  '{wish} and {wish}', 'you dont understand. {wish}. {close}', 'can i tell you something? {wish}', '{open} i think {when} {will} {doing}', '{wish}, {plan}', 'my friends keep saying it gets better but {wish} {close}', 'no matter what i do {wish}', 'i smile all day at school but {wish} {close}', 'i did my homework, ate dinner, and the whole time {wish}', 'lol i am laughing but {wish} i am not joking', 'you asked how i am. {wish}.',
] as const

/** At least 800 hard ones, besides the hand-written: crisis among everything else that is said. */
export const hardByGrammar = fill(frames, lists, 900, 20260120)

export const hardByHand = [
  'i told my friend i was fine but i already know how im going to do it tonight and nobody is going to stop me from killing myself',
  "don't worry about me anymore after tonight, i wont be here tomorrow", 'why not just die', 'why shouldnt i just kill myself', "i don't want to live", "i don't see the point of living", "i can't not think about suicide",
  'i never wanted to die more than i do now', 'not a day goes by that i dont want to die', "it's not that i'm sad, i just want to die", "i'm not joking i want to kill myself", "i am not okay i want to die",
  'nothing stops me from wanting to die', 'i dont even care if i die', 'i wouldnt mind if i got hit by a car and died', 'if i killed myself nobody would even notice, so i am going to', 'i said i wouldnt but i am going to kill myself anyway',
  'my mom said i should talk to someone but i just want to die', 'my friend thinks im joking but i really want to kill myself', 'he left me and now i want to die', 'she told me to get over it. i want to end my life', 'everyone says suicide is selfish but i cant live anymore',
  'we read about suicide in class and i realized i want to do it too, i want to die', 'i used to think it would get better. now i want to die', 'i used to want to die and i still do', 'last year i wanted to die and now i want to again, i want to kill myself',
  'i was doing better but now i want to die again', 'the song is sad but honestly i really do want to die', 'i wrote the letters for my parents and my sister, i wont be alive by friday', 'i have enough pills saved up to kill myself',
  'i took the whole bottle of tylenol', 'i just took like thirty pills', 'im standing on the bridge and im ready to jump', 'i am on the roof and i want to jump', 'i have a knife and i am going to kill myself', 'i put the gun to my head last night', 'i tied the noose already',
  'how many pills would it take to die', 'whats the least painful way to kill yourself, i need to know for me', 'is it painful to hang yourself because i am going to', 'i want to see my grandma in heaven so im going to kill myself',
  'i dont want help i want to die', "please don't call anyone, i just want to die in peace", 'this is goodbye, i love you all, im going to kill myself', 'tell my parents im sorry, i am ending my life tonight', 'i cant do another day of school. i will kill myself',
  'im failing every class and my parents will hate me. i want to die', 'they posted the pictures and now i want to kill myself', 'i got rejected from every college i want to end my life', 'i came out and my dad said im dead to him. i want to be dead',
  'ive been cutting and now i want to go deeper and die', 'i am going to cut my wrists tonight', 'im going to burn myself tonight again', 'i am bleeding and i want to die', 'i want to starve myself to death', 'i want a car to hit me so i can die',
  'yo im not even playing i wanna die', 'bro i actually want to kill myself like for real', 'ngl i want to end my life', 'lowkey been suicidal for weeks', 'idk man i just dont wanna be alive', 'haha i want to die but like actually', 'lol jk but really i want to kill myself',
  'i dont think i can make it through the night, i want to die', 'im scared of myself, i think im going to kill myself', 'i keep looking at the pills and i want to take all of them and die', 'my brain keeps telling me to kill myself and i am going to listen', 'the voices tell me to kill myself and i think i will',
  'i would kill myself if i wasnt so scared of the pain', 'if i had a gun i would shoot myself', 'the only thing keeping me alive is my dog and he died', 'i cant keep myself safe tonight, i want to kill myself', 'i want everything to be over, i want to be dead',
  'i have been suicidal since sixth grade and its getting worse', 'i hate myself and i want to die', 'i hate my life i wanna die', 'my existence is pointless and i want to end it, i want to die', 'im just a burden and everyone would be happier if i killed myself',
] as const
