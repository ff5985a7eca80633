/* What hooked slots lead to. A stub brings the number of the import in r11 and jumps to run_enter_*, which has the call
 * noted, calls the function, has its return noted, and returns: calls and returns stay paired for the processor. All
 * registers that may hold arguments or results are as they were; no vector register is touched. */
#include "call_stack.h"

#if defined(__x86_64__)

	.macro save register
	push \register
	.cfi_adjust_cfa_offset 8
	.endm

	.macro restore register
	pop \register
	.cfi_adjust_cfa_offset -8
	.endm

	/* DW_CFA_expression: the register is at rbx + offset. */
	.macro found_by_rbx register, offset
	.cfi_escape 0x10, \register, 2, 0x73, \offset
	.endm

	.macro restore_arguments
	restore %r10
	restore %r9
	restore %r8
	restore %rcx
	restore %rdx
	restore %rsi
	restore %rdi
	restore %rax
	.endm

	.macro function name
	.globl \name
	.hidden \name
	.type \name, @function
	.balign 16
\name:
	.endm

	.macro trampoline mode
	function run_enter_\mode
	.cfi_startproc
	endbr64
	save %rax
	save %rdi
	save %rsi
	save %rdx
	save %rcx
	save %r8
	save %r9
	save %r10
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	mov %r11d, %edi
	lea 72(%rsp), %rsi /* where the return address is */
	mov %rbx, %rdx
	call run_entered_\mode /* the entry, or 0; and the function */
	mov %rdx, %r11
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	test %rax, %rax
	jz 1f
	.cfi_remember_state
	mov %rax, %rbx
	found_by_rbx 3, RUN_CALL_RBX
	restore_arguments
	add $8, %rsp /* the entry has the return address */
	.cfi_adjust_cfa_offset -8
	found_by_rbx 16, RUN_CALL_RETURNS
	jmp run_call_\mode
1:
	.cfi_restore_state
	restore_arguments
	jmp *%r11
	.cfi_endproc
	.size run_enter_\mode, . - run_enter_\mode

	/* Its frame has no place on the stack, so its end is the caller's: as a frame of a signal, unwinders do not take the
	 * one for the other. */
	function run_call_\mode
	.cfi_startproc
	.cfi_signal_frame
	.cfi_def_cfa %rsp, 0
	found_by_rbx 16, RUN_CALL_UNWINDS
	found_by_rbx 3, RUN_CALL_RBX
	call *%r11
	.globl run_back_\mode
	.hidden run_back_\mode
run_back_\mode:
	/* All that the entry has is read before it is released: a signal handler may take it then. */
	pushq RUN_CALL_RETURNS(%rbx)
	.cfi_adjust_cfa_offset 8
	.cfi_offset 16, -8
	pushq RUN_CALL_RBX(%rbx)
	.cfi_adjust_cfa_offset 8
	.cfi_offset 3, -16
	save %rax
	save %rdx
	mov %rbx, %rdi
	call run_left_\mode
	restore %rdx
	restore %rax
	restore %rbx
	.cfi_restore 3
	ret
	.cfi_endproc
	.size run_call_\mode, . - run_call_\mode
	.endm

	.text
	trampoline trace
	trampoline time
	trampoline count

	/* run_saving_NAME calls run_slow_NAME, compiled code that may use vector registers: arguments and results of the
	 * hooked function are in them. Up to four arguments, up to two words of result. */
	.macro saving name
	function run_saving_\name
	lea run_slow_\name(%rip), %r11
	jmp save_vectors
	.size run_saving_\name, . - run_saving_\name
	.endm

	/* x87, SSE, AVX and AVX-512, in the standard form. */
	.set kFeatures, 0xe7
	.set kRoom, 2752
	.set kHeader, 512
	/* In the frame, below rbp: what is called and its arguments, or its results; and where the stack was taken. */
	.set kFunction, -8
	.set kFirst, -16
	.set kSecond, -24
	.set kThird, -32
	.set kFourth, -40
	.set kPlace, -64
	.set kFrame, 64

	/* There is no place for vectors on the stack of the program, which may be small. */
	.type save_vectors, @function
save_vectors:
	.cfi_startproc
	save %rbp
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	sub $kFrame, %rsp
	and $-16, %rsp
	mov %r11, kFunction(%rbp)
	mov %rdi, kFirst(%rbp)
	mov %rsi, kSecond(%rbp)
	mov %rdx, kThird(%rbp)
	mov %rcx, kFourth(%rbp)
	lea kPlace(%rbp), %rdi
	call run_take_place
	test %rax, %rax
	cmovnz %rax, %rsp
	sub $kRoom, %rsp
	and $-64, %rsp
	cmpl $0, run_has_xsave(%rip)
	je 1f
	xor %eax, %eax
	.irp at, 0, 8, 16, 24, 32, 40, 48, 56
	mov %rax, kHeader + \at(%rsp)
	.endr
	mov $kFeatures, %eax
	xor %edx, %edx
	xsave64 (%rsp)
	call with_arguments
	mov $kFeatures, %eax
	xor %edx, %edx
	xrstor64 (%rsp)
	jmp 2f
1:
	fxsave64 (%rsp)
	call with_arguments
	fxrstor64 (%rsp)
2:
	lea -kFrame(%rbp), %rsp
	and $-16, %rsp
	lea kPlace(%rbp), %rdi
	call run_give_place
	mov kFirst(%rbp), %rax
	mov kSecond(%rbp), %rdx
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size save_vectors, . - save_vectors

	/* Of the frame of save_vectors. */
	.type with_arguments, @function
with_arguments:
	.cfi_startproc
	.cfi_def_cfa %rbp, 16
	.cfi_offset %rbp, -16
	sub $8, %rsp
	mov kFirst(%rbp), %rdi
	mov kSecond(%rbp), %rsi
	mov kThird(%rbp), %rdx
	mov kFourth(%rbp), %rcx
	call *kFunction(%rbp)
	mov %rax, kFirst(%rbp)
	mov %rdx, kSecond(%rbp)
	add $8, %rsp
	ret
	.cfi_endproc
	.size with_arguments, . - with_arguments

	saving begin
	saving room
	saving commit
	saving reentered
	saving clock
	saving now
	saving vfork
	saving thread
	saving cell

	/* dlopen looks at where it is called from: it is jumped to, or, where that does not matter, called. */
	function run_dlopen
	.cfi_startproc
	endbr64
	save %rdi
	save %rsi
	mov 16(%rsp), %rdx
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	call run_choose_dlopen
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	restore %rsi
	restore %rdi
	jmp *%rax
	.cfi_endproc
	.size run_dlopen, . - run_dlopen

	/* So does dlsym; what dlopen has added without being called from here is hooked before it is found. */
	.macro finds_symbols name
	function run_\name
	.cfi_startproc
	endbr64
	save %rdi
	save %rsi
	save %rdx
	call run_choose_\name
	restore %rdx
	restore %rsi
	restore %rdi
	jmp *%rax
	.cfi_endproc
	.size run_\name, . - run_\name
	.endm

	finds_symbols dlsym
	finds_symbols dlvsym

#endif

	.section .note.GNU-stack, "", @progbits
