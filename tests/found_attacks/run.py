#!/usr/bin/env python3
import sys,os,json,subprocess,glob,time  # KIT: the folder of a built kit; ATTACKS: the folder with NAME/{attack,twin}
KIT=os.environ.get('KIT',os.getcwd()); HERE=os.environ.get('ATTACKS',os.path.dirname(os.path.abspath(__file__)))
name=sys.argv[1]; modes=sys.argv[2:] or (['together','alone','twin'] if name[0]=='a' else ['together','twin'])
base=f'{HERE}/{name}'
for mode in modes:
    d=f"{base}/{'twin' if mode=='twin' else 'attack'}"
    if not os.path.isdir(d): continue
    labs=set()
    for p in glob.glob(d+'/**/lab*',recursive=True)+glob.glob(d+'/lab*'):
        b=os.path.basename(p)
        if os.path.isdir(p) and b.startswith('lab') and len(b)==4: labs.add(b)
    out=f'/tmp/warpgrade-attacks/{name}.{mode}.json'; os.makedirs('/tmp/warpgrade-attacks',exist_ok=True)
    if os.path.exists(out): os.remove(out)
    env=dict(os.environ); env['XDG_CACHE_HOME']='/tmp/warpgrade-attacks/cache-'+('a' if mode=='alone' else 't')
    cmd=[KIT+'/build/bin/warpgrade','grade',d,'--device','emulator','--json',out,'--csv',out+'.csv','--junit',out+'.xml']
    for l in sorted(labs): cmd+=['--lab',l]
    if mode=='alone': cmd.append('--compile-alone')
    t=time.time()
    r=subprocess.run(cmd,cwd=KIT,env=env,capture_output=True,text=True,errors='replace')
    open(out+'.txt','w').write(r.stdout+'\n--stderr\n'+r.stderr)
    print(f'== {name} {mode}: exit {r.returncode}, {time.time()-t:.0f} s')
    if r.returncode not in(0,1) : print(r.stderr[-500:])
    if not os.path.exists(out): print(r.stdout[-800:]); continue
    j=json.load(open(out))
    for s in j['submissions']:
        print('  ',repr(s.get('id')),s.get('points'),'UNFINISHED '+str(s.get('unfinished'))[:250] if s.get('unfinished') else '', str(s.get('messages') or '')[:400])
        for lab in s.get('labs',[]):
            for q in lab['rungs']:
                st=q.get('status')
                if st in('missing',): continue
                tech=' '.join(f"{x['metric']}={x.get('value')}{'' if x.get('passed') else ' MISS'}"+(''.join(f"[{p['metric']}={p.get('value')}]" for p in x.get('provided') or [] if not p.get('passed')) if not x.get('passed') else '') for x in q.get('technique',[]) or []) if st=='passed' else ''
                print('     ',lab.get('lab') or lab.get('name'),q.get('rung') or q.get('name'),st,q.get('points'),'/',q.get('max_points'),tech)
                for f in (q.get('failures') or [])[:1]: print('        F',str(f.get('message',f))[:260])
                for f in (q.get('findings') or [])[:1]: print('        D',f.get('kind'),str(f.get('message',f))[:200])
                for f in (q.get('messages') or [])[:2]: print('        M',str(f)[:260].replace('\n',' | '))
